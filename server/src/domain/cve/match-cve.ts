import { withUpdate } from '#domain/versions/index.ts';
import { cpeText, parseCpe } from './cpe.ts';
import { kevStatements } from './kev-products/kev-products.ts';
import { joinRanges, judgeAffected } from './match-affected.ts';
import { judgeConfiguration, type Placed } from './match-configuration.ts';
import { judgePackage } from './match-package.ts';
import { packageKey, packageName } from './package-names.ts';
import { NO_LINKS, type ProductLinks, productKey, productOfCpe } from './product-names.ts';
import { packageOfPurl, parsePurl } from './purl.ts';
import type { CveSource, PackageName, ToldAffected, ToldCve } from './told.ts';
import { addUp, type Opinion, unknownFor, withoutDefaults } from './verdict.ts';

/** A watched component: a product by its names or its CPE, or a package by its purl or its ecosystem. */
export type MatchComponent = {
  readonly vendor: string | null;
  readonly product: string | null;
  readonly version: string | null;
  readonly cpe: string | null;
  readonly purl: string | null;
  readonly ecosystem: string | null;
};

export type CveMatch = Opinion & {
  /** The source whose statement decided. */
  readonly source: CveSource;
};

/** The keys under which an index of records holds a component. */
export type ComponentKeys = {
  readonly products: readonly string[];
  readonly packages: readonly string[];
};

/**
 * A package has product names only if it carries a CPE, because a CPE guessed from a package name would match flaws of
 * unrelated products. A product also has the names that records link to its own.
 */
export function componentKeys(component: MatchComponent, links: ProductLinks = NO_LINKS): ComponentKeys {
  const named = packageOfComponent(component);
  const ofCpe = component.cpe === null ? null : productOfCpe(component.cpe);
  const isPackage = component.purl !== null || component.ecosystem !== null;
  const { vendor, product } = component;
  const own = [
    ...(ofCpe === null ? [] : [productKey(ofCpe)]),
    ...(isPackage || vendor === null || product === null ? [] : [productKey({ vendor, product })]),
  ];
  return {
    products: [...new Set(own.flatMap((key) => [key, ...(links.get(key) ?? [])]))],
    packages: named === null ? [] : [packageKey(named)],
  };
}

function packageOfComponent({ purl, ecosystem, vendor, product }: MatchComponent): PackageName | null {
  const parsed = purl === null ? null : parsePurl(purl);
  if (parsed !== null) return packageOfPurl(parsed);
  if (ecosystem === null || product === null) return null;
  const joint = ecosystem === 'Maven' ? ':' : '/';
  return packageName(ecosystem, vendor === null ? product : `${vendor}${joint}${product}`);
}

export type MatchContext = {
  readonly links: ProductLinks;
  /** Other components of the same machine, for configurations that need two things at once. */
  readonly environment: readonly MatchComponent[];
};

/**
 * Whether the rows of one CVE say that a component is affected. Null where they do not name it, or where the CVE is
 * rejected. Statements of several sources add up; unknown is never taken for unaffected.
 */
export function matchCve(
  component: MatchComponent,
  rows: readonly ToldCve[],
  { links, environment }: MatchContext,
): CveMatch | null {
  if (isRejected(rows)) return null;
  const place = placeOf(component, links);
  const around = environment.map((other) => placeOf(other, links));
  const kev: readonly CveMatch[] = kevStatements(rows).some((name) => place.keys.has(productKey(name)))
    ? [{ ...unknownFor('no-versions'), source: 'kev' }]
    : [];
  const opinions: readonly CveMatch[] = rows.flatMap((row) =>
    opinionsOf(row, place, around).map((opinion) => ({ ...opinion, source: row.source })),
  );
  const found = addUp([...withoutDefaults(opinions), ...kev]);
  if (found === null) return null;
  const { status, reason, fixedVersion, source } = found;
  return { status, reason, fixedVersion, source };
}

/** The state of the CNA decides; without one, that of another source such as NVD. */
export function isRejected(rows: readonly ToldCve[]): boolean {
  const decided = rows.find(({ source, state }) => source === 'cna' && state !== null);
  return (decided ?? rows.find(({ state }) => state !== null))?.state === 'REJECTED';
}

type Place = Placed & { readonly packages: ReadonlySet<string> };

function placeOf(component: MatchComponent, links: ProductLinks): Place {
  const { products, packages } = componentKeys(component, links);
  const cpe = component.cpe === null ? null : parseCpe(component.cpe);
  const inCpe = cpe === null ? null : cpeText(cpe.version);
  const isOfCpe = inCpe !== null && (component.version === null || component.version === inCpe);
  const version = isOfCpe ? withUpdate(inCpe, cpeText(cpe?.update ?? '*')) : component.version;
  const ofPurl = component.purl === null ? null : (parsePurl(component.purl)?.version ?? null);
  return { keys: new Set(products), packages: new Set(packages), version: version ?? ofPurl, cpe };
}

function opinionsOf(row: ToldCve, place: Place, around: readonly Placed[]): readonly Opinion[] {
  return [
    ...row.packages
      .filter((entry) => place.packages.has(packageKey(entry)))
      .map((entry) => judgePackage(entry, place.version)),
    ...joinRanges(row.affected.filter((entry) => isAbout(entry, place))).map((entry) =>
      judgeAffected(entry, place.version),
    ),
    ...row.configurations.flatMap((configuration) => judgeConfiguration(configuration, place, around) ?? []),
  ];
}

function isAbout(entry: ToldAffected, { keys, packages }: Place): boolean {
  if (entry.package !== null && packages.has(packageKey(entry.package))) return true;
  if (keys.size === 0) return false;
  const { vendor, product } = entry;
  if (vendor !== null && product !== null && keys.has(productKey({ vendor, product }))) return true;
  return entry.cpes.some((cpe) => {
    const named = productOfCpe(cpe);
    return named !== null && keys.has(productKey(named));
  });
}
