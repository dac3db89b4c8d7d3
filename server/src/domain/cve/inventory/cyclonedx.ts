import { cveIdAt, distinct, fieldOf, listAt, NAME_MAX, textAt, textsAt } from '../fields.ts';
import {
  createInventory,
  DEPTH_MAX,
  ENTRIES_MAX,
  type Inventory,
  type InventoryDraft,
  type VexStatement,
} from './inventory.ts';

/** Kinds that are no software: a data set or a certificate has no version that a CVE could name. */
const NO_SOFTWARE: readonly unknown[] = ['data', 'cryptographic-asset', 'machine-learning-model'];

/** CycloneDX JSON 1.2 to 1.6, with components inside components, and what it says about vulnerabilities. */
export function readCycloneDx(bom: unknown): Inventory {
  const draft = createInventory();
  const direct = directRefs(bom);
  const identifiers = new Map<string, string>();
  let level = draft.limited(listAt(bom, 'components', ENTRIES_MAX + 1), 'component');
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= DEPTH_MAX) {
      for (const component of level) draft.skip(textAt(component, 'name', NAME_MAX), 'too-deep');
      break;
    }
    const next: unknown[] = [];
    for (const component of level) {
      readComponent(component, direct, draft);
      const ref = textAt(component, 'bom-ref', 1024);
      const identifier = textAt(component, 'purl', 1024) ?? textAt(component, 'cpe', 1024);
      if (ref !== null && identifier !== null) identifiers.set(ref, identifier);
      for (const inner of listAt(component, 'components', ENTRIES_MAX + 1)) next.push(inner);
    }
    level = draft.limited(next, 'nested component');
  }
  for (const vulnerability of draft.limited(listAt(bom, 'vulnerabilities', ENTRIES_MAX + 1), 'vulnerability'))
    draft.statements.push(...readVex(vulnerability, identifiers));
  return draft.finish();
}

function directRefs(bom: unknown): ReadonlySet<string> {
  const root = textAt(fieldOf(fieldOf(bom, 'metadata'), 'component'), 'bom-ref', 1024);
  const own = listAt(bom, 'dependencies', ENTRIES_MAX).find(
    (entry) => root !== null && fieldOf(entry, 'ref') === root,
  );
  return new Set(textsAt(own, 'dependsOn', 1024, ENTRIES_MAX));
}

function readComponent(component: unknown, direct: ReadonlySet<string>, draft: InventoryDraft): void {
  const name = textAt(component, 'name', NAME_MAX);
  if (NO_SOFTWARE.includes(fieldOf(component, 'type'))) {
    draft.skip(name, 'no-identifier');
    return;
  }
  const ref = textAt(component, 'bom-ref', 1024);
  const isDev = listAt(component, 'properties', 200).some(
    (property) =>
      /(?:^|:)(?:development|dev)$/.test(textAt(property, 'name', 200) ?? '') &&
      fieldOf(property, 'value') === 'true',
  );
  draft.add({
    name,
    vendor:
      textAt(component, 'group', NAME_MAX) ??
      textAt(component, 'publisher', NAME_MAX) ??
      textAt(fieldOf(component, 'supplier'), 'name', NAME_MAX),
    version: textAt(component, 'version', NAME_MAX),
    purl: textAt(component, 'purl', 1024),
    cpe: textAt(component, 'cpe', 1024),
    isDirect: ref !== null && direct.has(ref),
    isDev: isDev || fieldOf(component, 'scope') === 'excluded',
  });
}

const STATES: ReadonlyMap<unknown, VexStatement['status']> = new Map<unknown, VexStatement['status']>([
  ['not_affected', 'not_affected'],
  ['false_positive', 'not_affected'],
  ['resolved', 'fixed'],
  ['resolved_with_pedigree', 'fixed'],
  ['exploitable', 'affected'],
  ['in_triage', 'under_investigation'],
]);

/** A vulnerability without an analysis is a finding of the tool that wrote the document and no statement of its maker. */
function readVex(vulnerability: unknown, identifiers: ReadonlyMap<string, string>): readonly VexStatement[] {
  const cveId = cveIdAt(vulnerability, 'id');
  const analysis = fieldOf(vulnerability, 'analysis');
  const status = STATES.get(fieldOf(analysis, 'state'));
  if (cveId === null || status === undefined) return [];
  const refs = listAt(vulnerability, 'affects', 10_000).flatMap((item) => textAt(item, 'ref', 1024) ?? []);
  const products = distinct(
    refs.map((ref) => identifiers.get(fragmentOf(ref)) ?? identifiers.get(ref) ?? ref),
  );
  return [{ cveId, status, justification: textAt(analysis, 'justification', 100), products }];
}

/** A BOM-Link points into another document: `urn:cdx:serial/1#ref`. */
const fragmentOf = (ref: string): string => {
  const at = ref.startsWith('urn:cdx:') ? ref.indexOf('#') : -1;
  return at === -1 ? ref : ref.slice(at + 1);
};
