import type { Dataset } from '#platform/replica/dataset.ts';
import { packFacts } from './statistics/store.ts';

export const CVE = 'cve';
/** Severity, score, EPSS, KEV and exploitation by CVE id. */
export const FACTS = 'fact';
/** The title by CVE id. */
export const SUMMARIES = 'summary';
/** All facts in the order of EPSS, for the public statistics. */
export const PACKED = 'facts';

/** What answers about other things join from the CVE catalogue, on every node. */
export const cveDataset: Dataset = {
  name: CVE,
  format: 1,
  collections: [
    { name: FACTS, view: 'cve_fact_entry' },
    { name: SUMMARIES, view: 'cve_summary_entry' },
  ],
  derived: [
    {
      name: PACKED,
      dependsOn: (collection) => collection === FACTS,
      build: (tx) => packFacts(tx),
    },
  ],
};

export const cveKey = (id: string): Buffer => Buffer.from(id, 'latin1');
