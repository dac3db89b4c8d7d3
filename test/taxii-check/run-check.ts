import { createCheck } from './check.ts';
import { checkAgain, compareCollections } from './check-again.ts';
import { checkCollection } from './check-collection.ts';
import { checkErrors } from './check-errors.ts';
import { checkServer } from './check-server.ts';
import { ALL_CLIENTS } from './clients/all-clients.ts';
import { createSession } from './clients/client-pattern.ts';
import type { Collection } from './collection.ts';
import { createFindings, type Note, type Violation } from './findings.ts';
import type { Options } from './options.ts';
import { createReferences } from './references.ts';
import { createWire } from './wire.ts';

export type CollectionSummary = {
  readonly root: string;
  readonly id: string;
  readonly objects: number;
  readonly types: Readonly<Record<string, number>>;
  readonly pages: number;
  readonly complete: boolean;
};

export type ReplaySummary = {
  readonly title: string;
  readonly learnt: string;
  readonly collections: number;
  readonly failed: boolean;
};

export type Report = {
  readonly url: string;
  readonly requests: number;
  readonly violations: readonly Violation[];
  readonly notes: readonly Note[];
  readonly collections: readonly CollectionSummary[];
  readonly replays: readonly ReplaySummary[];
};

/** Checks one server as the options say; it only reads. */
export async function runCheck(options: Options, progress: (words: string) => void): Promise<Report> {
  const findings = createFindings();
  const wire = createWire(options.url, options.credentials, progress);
  const check = createCheck({ wire, findings, options, progress });
  const references = createReferences();
  const targets = await checkServer(check);
  const collections: Collection[] = [];
  for (const target of targets) collections.push(await checkCollection(check, target, references));
  references.judge(findings);
  compareCollections(check, collections);
  if (targets[0] !== undefined) await checkErrors(check, targets[0]);
  const replays: ReplaySummary[] = [];
  if (options.clients.length > 0 && options.credentials.user === null && options.credentials.header !== null)
    findings.note('no-basic', `GET ${options.url.pathname}`, 'give --user NAME:PASSWORD');
  for (const pattern of ALL_CLIENTS.filter(({ client }) => options.clients.includes(client))) {
    const before = countOf(`client-${pattern.client}`);
    for (const collection of collections) await pattern.replay(createSession(check, collection, pattern));
    const { title, learnt } = pattern;
    const failed = countOf(`client-${pattern.client}`) > before;
    replays.push({
      title,
      learnt: `${learnt.from}: ${learnt.where}`,
      collections: collections.length,
      failed,
    });
  }
  if (options.twice) for (const collection of collections) await checkAgain(check, collection);
  return {
    url: options.url.href,
    requests: wire.requests(),
    violations: findings.violations(),
    notes: findings.notes(),
    collections: collections.map(summaryOf),
    replays,
  };

  function countOf(clause: string): number {
    return findings.violations().find((violation) => violation.clause === clause)?.count ?? 0;
  }
}

function summaryOf({ target, objects, pages, complete }: Collection): CollectionSummary {
  const types: Record<string, number> = {};
  for (const { type } of objects.values()) types[type] = (types[type] ?? 0) + 1;
  return { root: target.root.pathname, id: target.id, objects: objects.size, types, pages, complete };
}
