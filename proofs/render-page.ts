import { commandOf, filesOf, type Proof, type ProofRecord } from './proof.ts';

export type ProofsPage = {
  readonly proofs: readonly Proof[];
  readonly records: Readonly<Record<string, ProofRecord>>;
  readonly unproven: Readonly<Record<string, string>>;
  /** The promises of ARCHITECTURE.md in its order. */
  readonly promises: readonly string[];
};

/** docs/proofs.md as a whole; the runner writes it, and a test compares it. */
export function renderPage({ proofs, records, unproven, promises }: ProofsPage): string {
  return [
    '# Proofs',
    '',
    'The runner writes this page: `npm run proofs` runs every proof at full size, `npm run proofs -- --changed` those',
    'whose code changed since their last record, `npm run proofs -- --only NAME` one of them. A record names the commit',
    'that was checked out; `+` means that the working tree had uncommitted changes.',
    '',
    '## Promises and their proofs',
    '',
    '| Promise | Proofs |',
    '|---|---|',
    ...promises.map((id) => `| ${id} | ${proofsFor(id, { proofs, records, unproven })} |`),
    '',
    '## Records',
    '',
    ...proofs.flatMap((proof) => section(proof, records[proof.name])),
  ].join('\n');
}

/** A proof that never ran, or failed when it last ran, is marked, because it shows nothing about the promise. */
function proofsFor(id: string, { proofs, records, unproven }: Omit<ProofsPage, 'promises'>): string {
  const markOf = (record: ProofRecord | undefined): string =>
    record === undefined ? ' (**never run**)' : record.passed ? '' : ' (**failed**)';
  const names = proofs
    .filter(({ promises }) => promises.includes(id))
    .map(({ name }) => `[${name}](#${name})${markOf(records[name])}`);
  return names.length > 0 ? names.join(', ') : `**no proof**: ${unproven[id] ?? 'not named'}`;
}

function section(proof: Proof, record: ProofRecord | undefined): readonly string[] {
  const figures = Object.entries(record?.figures ?? {});
  return [
    `### ${proof.name}`,
    '',
    proof.shows,
    '',
    `- Promises: ${proof.promises.join(', ') || 'none of the table'}`,
    `- Command: \`${commandOf(proof)}\``,
    `- Files: ${filesOf(proof)
      .map((file) => `\`${file}\``)
      .join(', ')}`,
    `- Last record: ${record === undefined ? '**never run**' : recorded(record)}`,
    ...(figures.length === 0 ? [] : ['', '| Figure | Value |', '|---|---|']),
    ...figures.map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ];
}

const recorded = ({ passed, commit, date, seconds }: ProofRecord): string =>
  `${passed ? 'passed' : '**failed**'} on ${date} at ${commit} in ${seconds} s`;
