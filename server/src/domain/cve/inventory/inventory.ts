import { inertText } from '#domain/text/inert-text.ts';
import { parseCpe } from '../cpe.ts';
import { NAME_MAX, VERSION_MAX } from '../fields.ts';
import { ecosystemOfPurlType } from '../package-names.ts';
import { parsePurl } from '../purl.ts';

/** Formats from which a perimeter can be imported (decisions 3.10), and additionally SPDX and OpenVEX. */
export const INVENTORY_FORMATS = [
  'package-lock',
  'composer-lock',
  'requirements',
  'gemfile-lock',
  'cargo-lock',
  'cyclonedx',
  'spdx',
  'openvex',
] as const;
export type InventoryFormat = (typeof INVENTORY_FORMATS)[number];

export type InventoryComponent = {
  readonly name: string;
  readonly vendor: string | null;
  readonly version: string | null;
  readonly purl: string | null;
  readonly cpe: string | null;
  readonly ecosystem: string | null;
  readonly isDirect: boolean;
  readonly isDev: boolean;
};

export type SkippedEntry = { readonly name: string; readonly reason: SkipReason };
export type SkipReason =
  | 'no-name'
  | 'local'
  | 'not-from-a-registry'
  | 'no-identifier'
  | 'too-deep'
  | 'too-many'
  | 'unreadable';

/** What a document says about a CVE in its components (VEX). */
export type VexStatement = {
  readonly cveId: string;
  readonly status: 'affected' | 'not_affected' | 'fixed' | 'under_investigation';
  readonly justification: string | null;
  /** The purl or CPE of each product that the statement is about; empty for the whole document. */
  readonly products: readonly string[];
};

export type Inventory = {
  readonly components: readonly InventoryComponent[];
  readonly skipped: readonly SkippedEntry[];
  readonly statements: readonly VexStatement[];
};

export const BYTES_MAX = 5 * 1024 * 1024;
export const COMPONENTS_MAX = 50_000;
export const DEPTH_MAX = 20;
/** The maximum of entries read from one list or file; the rest is reported as skipped. */
export const ENTRIES_MAX = 100_000;
const SKIPPED_MAX = 1000;
const IDENTIFIER_MAX = 1024;

export type ComponentDraft = {
  readonly name: string | null;
  readonly vendor?: string | null;
  readonly version?: string | null;
  readonly purl?: string | null;
  readonly cpe?: string | null;
  readonly isDirect?: boolean;
  readonly isDev?: boolean;
};

/** Collects components within the limits; the same component named twice is one. */
export function createInventory() {
  const components = new Map<string, InventoryComponent>();
  const skipped: SkippedEntry[] = [];
  const statements: VexStatement[] = [];
  const skip = (name: string | null, reason: SkipReason): void => {
    if (skipped.length < SKIPPED_MAX) skipped.push({ name: inertText(name, NAME_MAX) ?? '?', reason });
  };
  const limited = <T>(entries: readonly T[], noun: string, max = ENTRIES_MAX): readonly T[] => {
    if (entries.length > max) skip(`${noun} ${max + 1} and those after it`, 'too-many');
    return entries.slice(0, max);
  };
  const refusalOf = (component: InventoryComponent, isKnown: boolean): SkipReason | null => {
    if (component.purl === null && component.cpe === null && component.vendor === null)
      return 'no-identifier';
    return !isKnown && components.size >= COMPONENTS_MAX ? 'too-many' : null;
  };
  const add = (draft: ComponentDraft): void => {
    const component = completed(inertText(draft.name, NAME_MAX) ?? '', draft);
    const { name, vendor, version, purl, cpe } = component;
    const key = purl ?? cpe ?? `${vendor}\n${name}\n${version}`;
    const known = components.get(key);
    const reason = name === '' ? 'no-name' : refusalOf(component, known !== undefined);
    if (reason !== null) skip(name === '' ? (purl ?? cpe) : name, reason);
    else components.set(key, known === undefined ? component : together(known, component));
  };
  const finish = (): Inventory => ({ components: [...components.values()], skipped, statements });
  return { add, skip, limited, statements, finish };
}

export type InventoryDraft = ReturnType<typeof createInventory>;

/** A component that is named twice is a production dependency if either is, and direct if either is. */
const together = (a: InventoryComponent, b: InventoryComponent): InventoryComponent => ({
  ...a,
  isDev: a.isDev && b.isDev,
  isDirect: a.isDirect || b.isDirect,
});

function completed(name: string, draft: ComponentDraft): InventoryComponent {
  const purlText = inertText(draft.purl, IDENTIFIER_MAX);
  const purl = purlText === null ? null : parsePurl(purlText);
  const cpe = inertText(draft.cpe, IDENTIFIER_MAX);
  return {
    name,
    vendor: inertText(draft.vendor, NAME_MAX),
    version: inertText(draft.version, VERSION_MAX) ?? purl?.version ?? null,
    purl: purl === null ? null : purlText,
    cpe: cpe === null || parseCpe(cpe) === null ? null : cpe,
    ecosystem: purl === null ? null : ecosystemOfPurlType(purl.type),
    isDirect: draft.isDirect ?? false,
    isDev: draft.isDev ?? false,
  };
}

/** A purl from parts; each part is encoded, so that a name cannot add a version or qualifiers. */
export function purlOf(type: string, name: string, version: string | null): string {
  const path = name
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return `pkg:${type}/${path}${version === null ? '' : `@${encodeURIComponent(version)}`}`;
}
