import type { Replica } from '#platform/replica/reader.ts';
import { CVE, cveKey, FACTS, PACKED, SUMMARIES } from './dataset.ts';
import { type CveFact, readFact } from './fact.ts';
import { PackedFacts } from './statistics/packed-facts.ts';

export type KnownCve = CveFact & { readonly summary: string };

/** What this node knows of CVEs without PostgreSQL. */
export type CveFacts = {
  /** The facts of a CVE; undefined where the catalogue does not have it. */
  readonly find: (id: string) => KnownCve | undefined;
  readonly all: () => PackedFacts;
};

export const openCveFacts = (replica: Pick<Replica, 'view'>): CveFacts => ({
  find: (id) => {
    const view = replica.view();
    const key = cveKey(id);
    const bytes = view.get(FACTS, key);
    if (bytes === undefined) return undefined;
    const fact = readFact(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
    const summary = view.get(SUMMARIES, key);
    return { ...fact, summary: summary === undefined ? '' : Buffer.from(summary).toString('utf8') };
  },
  all: () => replica.view().memo(`${CVE}.${PACKED}`, (view) => new PackedFacts(view.derived(PACKED))),
});
