import type { CheckSeen } from './check-seen.ts';
import { type Facet, facetState, lookupOf, partOf } from './facet-state.ts';
import { countryOf, dnsFacts } from './facts.ts';
import { FACET_OF, type PanelId, panelOrder, TITLES } from './panel-order.ts';
import { relatedGroups } from './related-groups.ts';

export type PanelChoice = {
  readonly shown: readonly PanelId[];
  /** One line about all panels without content; null when each has some. */
  readonly line: string | null;
};

/**
 * While the check runs every panel keeps its place, except those whose lookup is turned off on this server. After it, those without content are named in one line instead of
 * standing empty.
 */
export function choosePanels(seen: CheckSeen, isSignedIn: boolean): PanelChoice {
  const order = panelOrder(seen.target).filter((id) => lookupFor(seen, id) !== 'inapplicable');
  const off = order.filter((id) => lookupFor(seen, id) === 'off');
  const asked = order.filter((id) => !off.includes(id));
  if (!seen.isOver) return { shown: asked, line: lineOf([], off, false) };
  const empty = asked.filter((id) => isEmptyPanel(seen, id, isSignedIn));
  const full = asked.filter((id) => !empty.includes(id));
  const shown = full.filter((id, at) => !repeats(seen, id, full.slice(0, at)));
  const offersLookalikes = asked.includes('lookalikes') && !isSignedIn;
  const told = empty.filter((id) => !HAS_OWN_WORDS.has(id));
  return { shown, line: lineOf(told, off, offersLookalikes) };
}

function lookupFor(seen: CheckSeen, id: PanelId): ReturnType<typeof lookupOf> {
  const facet = FACET_OF[id];
  return facet === undefined ? 'local' : lookupOf(seen, facet);
}

/** True for a further panel of a facet that is missing: it would only repeat the sentence of the first. */
function repeats(seen: CheckSeen, id: PanelId, before: readonly PanelId[]): boolean {
  const facet = FACET_OF[id];
  return (
    facet !== undefined && partOf(seen, facet) === null && before.some((other) => FACET_OF[other] === facet)
  );
}

/** Panels that the line does not name: look-alikes have their own sentence, and "no breached password" is no news. */
const HAS_OWN_WORDS: ReadonlySet<PanelId> = new Set(['lookalikes', 'password']);

function lineOf(
  empty: readonly PanelId[],
  off: readonly PanelId[],
  offersLookalikes: boolean,
): string | null {
  const told = [
    ...(empty.length === 0
      ? []
      : [`No data for: ${namesOf(empty)}. This doesn't mean there is nothing to find.`]),
    ...(off.length === 0
      ? []
      : [`Not looked up, because these live lookups are turned off on this server: ${namesOf(off)}.`]),
    ...(offersLookalikes ? ['Sign in to search threat lists for names that imitate this one.'] : []),
  ];
  return told.length === 0 ? null : told.join(' ');
}

const namesOf = (ids: readonly PanelId[]): string =>
  ids.map((id) => TITLES[id].toLowerCase().replace('dns', 'DNS')).join(', ');

function isEmptyPanel(seen: CheckSeen, id: PanelId, isSignedIn: boolean): boolean {
  if (id === 'password') return seen.enrichment?.pwnedPassword === undefined;
  if (id === 'lookalikes') return !isSignedIn;
  const facet = FACET_OF[id];
  if (facet === undefined) return false;
  return partOf(seen, facet) === null ? hasEmptyAnswer(seen, facet) : !hasContent(seen, id);
}

const hasEmptyAnswer = (seen: CheckSeen, facet: Facet): boolean =>
  facetState(seen, facet, { isSilent: false, isSignedIn: false }).kind === 'empty';

/** Whether a facet that has arrived holds anything that its panel can show. */
function hasContent(seen: CheckSeen, id: PanelId): boolean {
  const [geo, otx, dns] = [partOf(seen, 'geo'), partOf(seen, 'otx'), partOf(seen, 'dns')];
  switch (id) {
    case 'network':
      return geo !== null && (geo.asn !== null || geo.org !== null || geo.isp !== null);
    case 'location':
      return geo !== null && countryOf(geo) !== null;
    case 'dns':
      return dns !== null && dnsFacts(dns).length > 0;
    case 'pulses':
      return otx !== null && otx.pulseCount > 0;
    case 'passive-dns':
      return (otx?.passiveDns?.records.length ?? 0) > 0;
    case 'related': {
      const related = partOf(seen, 'relatedInfrastructure');
      return related !== null && relatedGroups(related).length > 0;
    }
    case 'technologies':
      return (partOf(seen, 'technologies') ?? []).length > 0;
    default:
      return true;
  }
}
