import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import {
  type LoadReport,
  listVersions,
  loadReference,
  loadReferenceManifest,
  type ManifestLoad,
  REFERENCE_KINDS,
  type ReferenceFile,
  type ReferenceKind,
  type ReferenceVersion,
} from '#capabilities/enrichment/index.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { count, day, renderTable } from './table.ts';

type LoadFlags = Json & {
  readonly date?: string;
  readonly name?: string;
  readonly attribution?: string;
  readonly force?: boolean;
};

export function referenceCommands(context: AdminContext): Command {
  const reference = new Command('reference').description('Local reference data: geo, asn, attack.');
  reference
    .command('load')
    .argument('<kind>', `one of ${REFERENCE_KINDS.join(', ')}`)
    .argument('<files...>', 'one file, or the IPv4 and IPv6 table of networks; .gz is unpacked')
    .description('Make files the reference data of a kind. Every node uses them within 15 seconds.')
    .option(
      '--date <date>',
      'date of the data, such as 2026-06-17; default: the one in the file, else of the file',
    )
    .option('--name <text>', 'name people see; default: what the file calls itself')
    .option('--attribution <text>', 'the credit that its licence requires')
    .option('--force', 'accept it although it holds less than half of the data in use')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action((kind: string, files: string[], options: LoadFlags) => load(context, kind, files, options));
  reference
    .command('list')
    .description('The data in use, and the versions it replaced within 180 days.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => list(context, options));
  reference
    .command('import-manifest')
    .argument('<folder>', 'folder with MANIFEST.json and the files it names')
    .description('Load the reference data of an offline data set.')
    .option('--json', 'print one JSON document')
    .action((folder: string, options: Json) => importManifest(context, folder, options));
  return reference;
}

const EXAMPLES = `
geo     a MaxMind DB of countries or cities (GeoLite2, DB-IP Lite, ip-location-db)
asn     a MaxMind DB of ASN shape, or CSV lines of first address,last address,AS number,name
attack  the STIX bundle enterprise-attack.json of MITRE

Examples:
  npm run admin -- reference load geo GeoLite2-City.mmdb
  npm run admin -- reference load asn asn-ipv4.csv.gz asn-ipv6.csv.gz --date 2026-06-17
  npm run admin -- reference load attack enterprise-attack.json`;

async function load(
  context: AdminContext,
  kindText: string,
  paths: readonly string[],
  options: LoadFlags,
): Promise<void> {
  const kind = kindOf(kindText);
  const dataAtMs = options.date === undefined ? undefined : dateMs(options.date);
  const files = await Promise.all(paths.map(readReferenceFile));
  await onSystem(context, async ({ postgres, clock }) => {
    const report = await loadReference({ clock, transaction: postgres.transaction }, kind, files, {
      ...(dataAtMs === undefined ? {} : { dataAtMs }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.attribution === undefined ? {} : { attribution: options.attribution }),
      force: options.force === true,
    });
    const document = { outcome: report.outcome, ...documentOf(report.version) };
    print(context, options, document, [sentenceOf(report)]);
  });
}

const list = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const versions = await listVersions(postgres.db);
    const newest = REFERENCE_KINDS.map((kind) => versions.find((version) => version.kind === kind));
    const missing = REFERENCE_KINDS.filter((_, at) => newest[at] === undefined);
    print(
      context,
      options,
      { versions: versions.map((each) => ({ ...documentOf(each), inUse: newest.includes(each) })) },
      [
        ...versionsTable(versions, newest),
        ...(missing.length === 0
          ? []
          : [
              `Not loaded: ${missing.join(', ')}. docs/operating/reference-data.md says what is missing then.`,
            ]),
      ],
    );
  });

const importManifest = (context: AdminContext, folder: string, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const loads = await loadReferenceManifest({ clock, transaction: postgres.transaction }, folder);
    print(
      context,
      options,
      { references: loads.map(referenceDocument) },
      loads.length === 0 ? ['This data set holds no reference data.'] : loads.map(manifestLine),
    );
    const refused = loads.filter(({ outcome }) => outcome === 'refused').length;
    if (refused > 0)
      throw new AdminError(`${refused} of ${loads.length} kinds were refused; everything else is done.`);
  });

export const referenceDocument = (load: ManifestLoad): object =>
  load.outcome === 'refused' ? load : { outcome: load.outcome, ...documentOf(load.version) };

export const manifestLine = (load: ManifestLoad): string =>
  load.outcome === 'refused' ? `${load.kind}: refused. ${load.reason}` : sentenceOf(load);

function kindOf(text: string): ReferenceKind {
  const kind = REFERENCE_KINDS.find((each) => each === text);
  if (kind === undefined)
    throw new AdminError(`'${text}' is not a kind; use one of ${REFERENCE_KINDS.join(', ')}.`);
  return kind;
}

async function readReferenceFile(path: string): Promise<ReferenceFile> {
  try {
    const { mtimeMs } = await stat(path);
    return { label: basename(path), bytes: await readFile(path), modifiedAtMs: mtimeMs };
  } catch (error) {
    throw new AdminError(`'${path}' cannot be read (${String((error as { code?: unknown }).code)}).`);
  }
}

function dateMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a date; write it as in 2026-06-17.`);
  return ms;
}

const documentOf = ({
  kind,
  version,
  name,
  dataAtMs,
  loadedAtMs,
  bytes,
  attribution,
  details,
}: ReferenceVersion) => ({
  kind,
  version,
  name,
  dataAt: new Date(dataAtMs).toISOString(),
  loadedAt: new Date(loadedAtMs).toISOString(),
  bytes,
  attribution,
  details,
});

const sentenceOf = ({ outcome, version }: LoadReport): string =>
  outcome === 'unchanged'
    ? `${version.kind}: this content is in use already (version ${version.version}, data of ${day(version.dataAtMs)}).`
    : `${version.kind}: ${version.name}, version ${version.version}, data of ${day(version.dataAtMs)}: ${contents(version)}.`;

const contents = ({ details }: ReferenceVersion): string =>
  Object.entries(details)
    .map(([what, held]) => `${count(held)} ${what}`)
    .join(', ');

const versionsTable = (
  versions: readonly ReferenceVersion[],
  inUse: readonly (ReferenceVersion | undefined)[],
): readonly string[] =>
  renderTable(
    [
      { title: 'kind' },
      { title: 'version' },
      { title: 'in use' },
      { title: 'data of' },
      { title: 'loaded' },
      { title: 'bytes', align: 'right' },
      { title: 'name', widthMax: 40 },
      { title: 'holds', widthMax: 60 },
      { title: 'licence', widthMax: 60 },
    ],
    versions.map((version) => [
      version.kind,
      version.version,
      inUse.includes(version) ? 'yes' : '',
      day(version.dataAtMs),
      day(version.loadedAtMs),
      count(version.bytes),
      version.name,
      contents(version),
      version.attribution ?? '',
    ]),
  );
