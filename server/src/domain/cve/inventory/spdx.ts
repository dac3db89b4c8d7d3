import { cveIdAt, fieldOf, listAt, NAME_MAX, textAt, textsAt } from '../fields.ts';
import {
  createInventory,
  ENTRIES_MAX,
  type Inventory,
  type InventoryDraft,
  type VexStatement,
} from './inventory.ts';

/** The maximum for a tag-value file, in which a package with its files takes tens of lines. */
const LINES_MAX = 1_000_000;
const REF_MAX = 1024;

/** A package of any form of SPDX; `SpdxLink` relates two of them. */
type SpdxPackage = {
  readonly id: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly vendor: string | null;
  readonly purl: string | null;
  readonly cpe: string | null;
};
type SpdxLink = { readonly from: string; readonly kind: string; readonly to: string };

/** Relationships in which `from` is a development dependency of `to`, and those in which `from` depends on `to`. */
const DEV_OF = /^(?:dev|test|build)_?(?:dependency|tool)_?of$|^test_?of$/i;
const DEPENDS_ON =
  /^(?:depends_?on|contains|dynamic_?link|static_?link|has_?(?:static|dynamic)_?link|has_?optional_?dependency)$/i;

function collect(
  draft: InventoryDraft,
  packages: readonly SpdxPackage[],
  links: readonly SpdxLink[],
  roots: ReadonlySet<string>,
  statements: readonly VexStatement[] = [],
): Inventory {
  const dev = new Set(links.flatMap(({ from, kind }) => (DEV_OF.test(kind) ? [from] : [])));
  const direct = new Set([
    ...links.flatMap(({ from, kind, to }) => (DEPENDS_ON.test(kind) && roots.has(from) ? [to] : [])),
    ...links.flatMap(({ from, kind, to }) => (/dependency_?of$/i.test(kind) && roots.has(to) ? [from] : [])),
  ]);
  for (const { id, ...named } of packages) {
    // The document's subject is no component of itself, unless it has an identifier or nothing else is named.
    if (roots.has(id) && packages.length > roots.size && named.purl === null && named.cpe === null) continue;
    draft.add({ ...named, isDev: dev.has(id), isDirect: direct.has(id) });
  }
  draft.statements.push(...statements);
  return draft.finish();
}

const asserted = (text: string | null): string | null =>
  text === 'NOASSERTION' || text === 'NONE' ? null : text;
/** `Organization: ACT Project (mail@example.org)` names the organization. */
const organization = (text: string | null): string | null =>
  /^Organization:\s*([^(]+)/.exec(text ?? '')?.[1]?.trim() ?? null;

/** SPDX 2.2 and 2.3 as JSON. */
export function readSpdx2(document: unknown): Inventory {
  const draft = createInventory();
  const listed = draft.limited(listAt(document, 'packages', ENTRIES_MAX + 1), 'package');
  const packages = listed.map((item): SpdxPackage => {
    const references = listAt(item, 'externalRefs', 500);
    const reference = (type: RegExp) =>
      references.flatMap((one) =>
        type.test(textAt(one, 'referenceType', 200) ?? '')
          ? (textAt(one, 'referenceLocator', REF_MAX) ?? [])
          : [],
      )[0] ?? null;
    return {
      id: textAt(item, 'SPDXID', REF_MAX) ?? '',
      name: textAt(item, 'name', NAME_MAX),
      version: asserted(textAt(item, 'versionInfo', NAME_MAX)),
      vendor:
        organization(textAt(item, 'supplier', NAME_MAX)) ??
        organization(textAt(item, 'originator', NAME_MAX)),
      purl: reference(/(?:^|\/)purl$/),
      cpe: reference(/(?:^|\/)cpe23Type$/) ?? reference(/(?:^|\/)cpe22Type$/),
    };
  });
  const related = draft.limited(listAt(document, 'relationships', ENTRIES_MAX + 1), 'relationship');
  const links = related.map(
    (item): SpdxLink => ({
      from: textAt(item, 'spdxElementId', REF_MAX) ?? '',
      kind: textAt(item, 'relationshipType', 100) ?? '',
      to: textAt(item, 'relatedSpdxElement', REF_MAX) ?? '',
    }),
  );
  const described = links.flatMap(({ from, kind, to }) =>
    kind === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT' ? [to] : [],
  );
  return collect(
    draft,
    packages,
    links,
    new Set([...textsAt(document, 'documentDescribes', REF_MAX), ...described]),
  );
}

/** SPDX 3.0 as JSON-LD: a flat graph of elements. */
export function readSpdx3(document: unknown): Inventory {
  const draft = createInventory();
  const graph = draft.limited(listAt(document, '@graph', ENTRIES_MAX + 1), 'element');
  const typeOf = (item: unknown) => textAt(item, 'type', 100) ?? textAt(item, '@type', 100) ?? '';
  const idOf = (item: unknown) => textAt(item, 'spdxId', REF_MAX) ?? textAt(item, '@id', REF_MAX) ?? '';
  const named = new Map(graph.map((item) => [idOf(item), textAt(item, 'name', NAME_MAX)]));
  const packages = graph
    .filter((item) => typeOf(item) === 'software_Package')
    .map((item): SpdxPackage => {
      const identifiers = listAt(item, 'externalIdentifier', 500);
      const identifier = (type: string) =>
        identifiers.flatMap((one) =>
          fieldOf(one, 'externalIdentifierType') === type ? (textAt(one, 'identifier', REF_MAX) ?? []) : [],
        )[0] ?? null;
      return {
        id: idOf(item),
        name: textAt(item, 'name', NAME_MAX),
        version: textAt(item, 'software_packageVersion', NAME_MAX),
        vendor: named.get(textAt(item, 'suppliedBy', REF_MAX) ?? '') ?? null,
        purl: textAt(item, 'software_packageUrl', REF_MAX) ?? identifier('packageUrl') ?? identifier('purl'),
        cpe: identifier('cpe23') ?? identifier('cpe22'),
      };
    });
  const links = graph.flatMap((item) => (typeOf(item).endsWith('Relationship') ? linksOf(item) : []));
  const roots = graph.flatMap((item) =>
    typeOf(item) === 'SpdxDocument' || typeOf(item) === 'software_Sbom'
      ? textsAt(item, 'rootElement', REF_MAX)
      : [],
  );
  const byId = new Map(packages.map((item) => [item.id, item.purl ?? item.cpe]));
  const vulnerabilities = new Map(
    graph.flatMap((item) => (typeOf(item) === 'security_Vulnerability' ? [[idOf(item), item] as const] : [])),
  );
  const statements = graph.flatMap((item) => vexOf(item, typeOf(item), vulnerabilities, byId));
  return collect(draft, packages, links, new Set(roots), statements);
}

const DEV_SCOPES: readonly unknown[] = ['development', 'test'];

function linksOf(item: unknown): readonly SpdxLink[] {
  const from = textAt(item, 'from', REF_MAX) ?? '';
  const kind = textAt(item, 'relationshipType', 100) ?? '';
  const isDev = DEV_SCOPES.includes(fieldOf(item, 'scope'));
  return textsAt(item, 'to', REF_MAX).flatMap((to) => [
    { from, kind, to },
    ...(isDev && DEPENDS_ON.test(kind) ? [{ from: to, kind: 'devDependencyOf', to: from }] : []),
  ]);
}

const ASSESSMENTS: ReadonlyMap<string, VexStatement['status']> = new Map([
  ['security_VexNotAffectedVulnAssessmentRelationship', 'not_affected'],
  ['security_VexFixedVulnAssessmentRelationship', 'fixed'],
  ['security_VexAffectedVulnAssessmentRelationship', 'affected'],
  ['security_VexUnderInvestigationVulnAssessmentRelationship', 'under_investigation'],
]);

function vexOf(
  item: unknown,
  type: string,
  vulnerabilities: ReadonlyMap<string, unknown>,
  identifiers: ReadonlyMap<string, string | null>,
): readonly VexStatement[] {
  const status = ASSESSMENTS.get(type);
  const vulnerability = vulnerabilities.get(textAt(item, 'from', REF_MAX) ?? '');
  const cveId =
    cveIdAt(vulnerability, 'name') ??
    listAt(vulnerability, 'externalIdentifier', 50)
      .map((one) => cveIdAt(one, 'identifier'))
      .find((id) => id !== null) ??
    null;
  if (status === undefined || cveId === null) return [];
  const products = textsAt(item, 'to', REF_MAX).map((id) => identifiers.get(id) ?? id);
  return [{ cveId, status, justification: textAt(item, 'security_justificationType', 100), products }];
}

/** SPDX 2.2 and 2.3 as tag-value text. */
export function readSpdxTagValue(text: string): Inventory {
  const draft = createInventory();
  const packages: SpdxPackage[] = [];
  const links: SpdxLink[] = [];
  const roots = new Set<string>();
  let isOpen = false;
  for (const line of draft.limited(text.split(/\r?\n/, LINES_MAX + 1), 'line', LINES_MAX)) {
    const [, tag = '', value = ''] = /^([A-Za-z]+):\s*(.*)$/.exec(line) ?? [];
    const last = packages.at(-1);
    if (tag === 'PackageName') {
      packages.push({ id: '', name: value, version: null, vendor: null, purl: null, cpe: null });
      isOpen = true;
    } else if (tag === 'FileName') isOpen = false;
    else if (tag === 'Relationship') {
      const [from = '', kind = '', to = ''] = value.split(/\s+/);
      links.push({ from, kind, to });
      if (kind === 'DESCRIBES') roots.add(to);
    } else if (isOpen && last !== undefined)
      packages[packages.length - 1] = { ...last, ...tagged(tag, value, last) };
  }
  return collect(draft, packages, links, roots);
}

function tagged(tag: string, value: string, open: SpdxPackage): Partial<SpdxPackage> {
  if (tag === 'SPDXID') return { id: value };
  if (tag === 'PackageVersion') return { version: asserted(value) };
  if (tag === 'PackageSupplier') return { vendor: organization(value) };
  if (tag !== 'ExternalRef') return {};
  const [, type = '', locator = ''] = value.split(/\s+/);
  if (type.endsWith('purl')) return { purl: open.purl ?? locator };
  return /cpe2[23]Type$/.test(type) ? { cpe: open.cpe ?? locator } : {};
}
