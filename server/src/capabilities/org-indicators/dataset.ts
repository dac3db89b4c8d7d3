import type { Dataset } from '#platform/replica/dataset.ts';

export const ORGANIZATIONS = 'organizations';
/** What an organization blocks or allows now, by organization and indicator key. */
export const ENTRIES = 'entry';
/** The revision of an organization and the prefix lengths of its ranges, by its id. */
export const STATES = 'state';

/**
 * The indicators of all organizations, on every node and apart from the corpus (O14): a caller without an organization
 * never reads it, and the corpus holds nothing of a tenant.
 */
export const organizationsDataset: Dataset = {
  name: ORGANIZATIONS,
  format: 1,
  collections: [
    { name: ENTRIES, view: 'org_indicator_entry' },
    { name: STATES, view: 'org_state_entry' },
  ],
  derived: [],
};
