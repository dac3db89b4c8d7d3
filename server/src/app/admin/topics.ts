import type { Command } from 'commander';
import type { AdminContext } from './context.ts';

/** One module of commands: the first word and the description of each, and how the module is loaded. */
export type Topic = {
  readonly commands: Readonly<Record<string, string>>;
  readonly load: (context: AdminContext) => Promise<readonly Command[]>;
};

/**
 * Every topic in the order of the help. A command loads only the module of its topic, because loading all of them takes
 * seconds of CPU time; names and descriptions stand here, so that the help needs no module (act-book.engine.test.ts compares them).
 */
export const TOPICS: readonly Topic[] = [
  {
    commands: {
      key: 'API key pairs.',
      user: 'Users.',
      org: 'Organizations.',
      plan: 'Subscriptions.',
      licence: 'Licence keys for X-License-Key.',
    },
    load: async (context) => (await import('./access-commands.ts')).accessCommands(context),
  },
  {
    commands: {
      operator: "Tokens for the operators' listener (ADMIN_PORT).",
      notice: 'What the public status page says beside its figures.',
    },
    load: async (context) => (await import('./operator-commands.ts')).operatorCommands(context),
  },
  {
    commands: { feeds: 'Sources and the lists they publish.' },
    load: async (context) => (await import('./feeds-commands.ts')).feedsCommands(context),
  },
  {
    commands: { cases: 'Cases and their evidence.' },
    load: async (context) => [(await import('./cases-commands.ts')).casesCommands(context)],
  },
  {
    commands: {
      datasets: 'Data sets of CVEs and ransomware claims: their state, and downloads that a gate stopped.',
    },
    load: async (context) => [(await import('./datasets-commands.ts')).datasetsCommands(context)],
  },
  {
    commands: { cve: 'Vulnerabilities: their sources, what they hold and what is missing.' },
    load: async (context) => [(await import('./cve-commands.ts')).cveCommands(context)],
  },
  {
    commands: { reference: 'Local reference data: geo, asn, attack.' },
    load: async (context) => [(await import('./reference-commands.ts')).referenceCommands(context)],
  },
  {
    commands: { ransomware: 'Claims of ransomware groups, groups and press.' },
    load: async (context) => [(await import('./ransomware-commands.ts')).ransomwareCommands(context)],
  },
  {
    commands: { passwords: 'Breached password hashes on this node.' },
    load: async (context) => [(await import('./passwords-commands.ts')).passwordsCommands(context)],
  },
  {
    commands: { lists: 'The shared blocklists.' },
    load: async (context) => [(await import('./lists-commands.ts')).listsCommands(context)],
  },
  {
    commands: { mmdb: 'The address database (MaxMind DB file).' },
    load: async (context) => [(await import('./mmdb-commands.ts')).mmdbCommands(context)],
  },
  {
    commands: { signals: 'What foresees a listing: names and networks.' },
    load: async (context) => [(await import('./signals-commands.ts')).signalsCommands(context)],
  },
  {
    commands: { weights: 'What a listing of a name is worth, source by source.' },
    load: async (context) => [(await import('./weights-commands.ts')).weightsCommands(context)],
  },
  {
    commands: { standing: 'The level of every accused indicator.' },
    load: async (context) => [(await import('./standing-commands.ts')).standingCommands(context)],
  },
  {
    commands: { taxii: 'The shared TAXII collections.' },
    load: async (context) => [(await import('./taxii-commands.ts')).taxiiCommands(context)],
  },
  {
    commands: { mail: 'Letters to people.' },
    load: async (context) => [(await import('./mail-commands.ts')).mailCommands(context)],
  },
  {
    commands: { forms: 'What visitors sent with the public forms.' },
    load: async (context) => [(await import('./forms-commands.ts')).formsCommands(context)],
  },
  {
    commands: { replica: "This node's local replica." },
    load: async (context) => {
      const { replicaCommands } = await import('./replica-commands.ts');
      // Only `replica status` needs the feeds, and only when it runs.
      const movedDatesMs = async () => (await import('./feeds-commands.ts')).movedDatesMs(context);
      return [replicaCommands({ ...context, movedDatesMs })];
    },
  },
];
