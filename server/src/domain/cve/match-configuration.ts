import { compareVersions, type VersionScheme, withUpdate } from '#domain/versions/index.ts';
import { type Cpe, cpeIncludes, cpeText, parseCpe } from './cpe.ts';
import { orderOf } from './match-affected.ts';
import { productKey } from './product-names.ts';
import type { ToldConfiguration, ToldCpeMatch, ToldNode } from './told.ts';
import { affectedUntil, type Opinion, UNAFFECTED, unknownFor } from './verdict.ts';

/** A component as a configuration sees it: the keys of its names, its version, and its CPE if it has one. */
export type Placed = {
  readonly keys: ReadonlySet<string>;
  readonly version: string | null;
  readonly cpe: Cpe | null;
};

type Answer = 'yes' | 'no' | 'open' | 'unordered' | 'no-version';
type Finding = { readonly answer: Answer; readonly fixedVersion: string | null };

/**
 * What a configuration of NVD says about a component. Null if no vulnerable CPE of it names the component: a CPE that
 * only has to be present beside the flaw, such as a platform, is no statement about it.
 */
export function judgeConfiguration(
  { operator, negate, nodes }: ToldConfiguration,
  component: Placed,
  environment: readonly Placed[],
): Opinion | null {
  const isNamed = nodes.some(({ matches }) =>
    matches.some((match) => match.vulnerable && names(match, component)),
  );
  if (!isNamed) return null;
  const found = nodes.map((node) => judgeNode(node, component, environment));
  const joined = join(operator, found);
  return opinionOf(negate ? turned(joined) : joined);
}

function opinionOf({ answer, fixedVersion }: Finding): Opinion {
  if (answer === 'yes') return affectedUntil(fixedVersion);
  if (answer === 'no') return UNAFFECTED;
  return unknownFor(answer === 'open' ? 'environment' : answer);
}

function judgeNode(
  { operator, negate, matches }: ToldNode,
  component: Placed,
  environment: readonly Placed[],
): Finding {
  const found = matches.map((match) => judgeMatch(match, component, environment));
  const joined = join(operator, found);
  return negate ? turned(joined) : joined;
}

const turned = ({ answer }: Finding): Finding => ({
  answer: answer === 'yes' ? 'no' : answer === 'no' ? 'yes' : answer,
  fixedVersion: null,
});

/** Three-valued logic; of two open answers the one that says more about the version is kept. */
function join(operator: 'AND' | 'OR', found: readonly Finding[]): Finding {
  const decisive: Answer = operator === 'OR' ? 'yes' : 'no';
  const weak: Answer = operator === 'OR' ? 'no' : 'yes';
  const rank: readonly Answer[] = [decisive, 'no-version', 'unordered', 'open', weak];
  let joined: Finding = { answer: weak, fixedVersion: null };
  for (const one of found) {
    const isStronger = rank.indexOf(one.answer) < rank.indexOf(joined.answer);
    if (isStronger || (one.answer === joined.answer && joined.fixedVersion === null)) joined = one;
  }
  return joined;
}

function judgeMatch(match: ToldCpeMatch, component: Placed, environment: readonly Placed[]): Finding {
  if (names(match, component)) return judgeVersion(match, component);
  const beside = environment.find((other) => names(match, other));
  if (beside !== undefined) return judgeVersion(match, beside);
  // A platform that is not listed may still be present. A vulnerable product that is not listed is simply not affected.
  if (match.vulnerable) return { answer: 'no', fixedVersion: null };
  return { answer: isOwnHardware(match, component) ? 'yes' : 'open', fixedVersion: null };
}

type Wanted = { readonly cpe: Cpe; readonly vendor: string; readonly product: string; readonly key: string };

/** Parsed CPEs: a configuration is matched against many components, so each of its CPEs is parsed once. */
const READ = new WeakMap<ToldCpeMatch, Wanted | { readonly cpe: null }>();

function wantedBy(match: ToldCpeMatch): Wanted | null {
  const read = READ.get(match) ?? readCriteria(match.criteria);
  READ.set(match, read);
  return read.cpe === null ? null : read;
}

function readCriteria(criteria: string): Wanted | { readonly cpe: null } {
  const cpe = parseCpe(criteria);
  const vendor = cpe === null ? null : cpeText(cpe.vendor);
  const product = cpe === null ? null : cpeText(cpe.product);
  if (cpe === null || vendor === null || product === null) return { cpe: null };
  return { cpe, vendor, product, key: productKey({ vendor, product }) };
}

function names(match: ToldCpeMatch, { keys }: Placed): boolean {
  const wanted = wantedBy(match);
  return wanted !== null && keys.has(wanted.key);
}

/** Firmware named `x_firmware` implies the hardware `x`, which need not be listed as well. */
function isOwnHardware(match: ToldCpeMatch, { keys }: Placed): boolean {
  const wanted = wantedBy(match);
  if (wanted === null || wanted.cpe.part !== 'h') return false;
  return keys.has(productKey({ vendor: wanted.vendor, product: `${wanted.product}_firmware` }));
}

const SCHEMES: ReadonlyMap<string, VersionScheme> = new Map([
  ['python', 'pep440'],
  ['node.js', 'semver'],
  ['maven', 'maven'],
  ['ruby', 'rubygems'],
  ['go', 'go'],
  ['rust', 'semver'],
]);

function judgeVersion(match: ToldCpeMatch, { version, cpe: given }: Placed): Finding {
  const no: Finding = { answer: 'no', fixedVersion: null };
  const wanted = wantedBy(match)?.cpe ?? null;
  if (wanted === null) return no;
  if (given !== null && isOther(wanted, given)) return no;
  const scheme = SCHEMES.get(cpeText(wanted.targetSw) ?? '') ?? 'generic';
  const isOneVersion = wanted.version !== '*';
  const isAll =
    (match.startIncluding ?? match.startExcluding ?? match.endIncluding ?? match.endExcluding) === null;
  if (!isOneVersion && isAll) return { answer: 'yes', fixedVersion: null };
  if (wanted.version === '-') return { answer: 'unordered', fixedVersion: null };
  if (version === null) return { answer: 'no-version', fixedVersion: null };
  return isOneVersion ? judgeSingle(wanted, version, given, scheme) : judgeBounds(match, version, scheme);
}

/** True if an attribute that both CPEs give excludes the other, for example another edition or platform. */
const isOther = (wanted: Cpe, given: Cpe): boolean =>
  (['part', 'edition', 'swEdition', 'targetSw', 'targetHw'] as const).some(
    (name) => cpeIncludes(wanted[name], given[name]) === false,
  );

/** Suffixes that name an update, which may follow the version of a CPE whose update is any. */
const UPDATE = /^[-_ ]?(?:pl?|patch|sp|u|update|hf|hotfix|rc|beta|alpha|build)[-_ ]?[0-9]*$/i;

function judgeSingle(wanted: Cpe, version: string, given: Cpe | null, scheme: VersionScheme): Finding {
  const found = (answer: Answer): Finding => ({ answer, fixedVersion: null });
  const plain = cpeText(wanted.version) ?? '';
  const update = cpeText(wanted.update);
  if (update !== null && given?.update === '*' && sameVersion(scheme, plain, version))
    return found('unordered');
  if (wanted.update === '*') {
    if (cpeIncludes(wanted.version, given?.version ?? version.toLowerCase()) === true) return found('yes');
    if (version.startsWith(plain) && UPDATE.test(version.slice(plain.length))) return found('yes');
  }
  const order = orderOf(scheme, withUpdate(plain, update), version);
  if (order !== null) return found(order === 0 ? 'yes' : 'no');
  return found(compareVersions('generic', version, version) === null ? 'unordered' : 'no');
}

const sameVersion = (scheme: VersionScheme, a: string, b: string): boolean =>
  a === b || orderOf(scheme, a, b) === 0;

function judgeBounds(match: ToldCpeMatch, version: string, scheme: VersionScheme): Finding {
  const against = (bound: string | null, isInside: (order: number) => boolean): boolean | null => {
    const order = bound === null ? null : orderOf(scheme, version, bound);
    return bound === null ? true : order === null ? null : isInside(order);
  };
  const sides = [
    against(match.startIncluding, (order) => order >= 0),
    against(match.startExcluding, (order) => order > 0),
    against(match.endIncluding, (order) => order <= 0),
    against(match.endExcluding, (order) => order < 0),
  ];
  if (sides.includes(false)) return { answer: 'no', fixedVersion: null };
  if (sides.includes(null)) return { answer: 'unordered', fixedVersion: null };
  return { answer: 'yes', fixedVersion: match.endExcluding };
}
