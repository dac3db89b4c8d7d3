/** Steps that are ticked by themselves, because rows of the account prove them. */
export const PROVEN_STEPS = ['key', 'check', 'scan', 'list', 'member', 'indicator'] as const;
export type ProvenStep = (typeof PROVEN_STEPS)[number];
/** Steps that no row can prove, so a person ticks them. */
export const TICKED_STEPS = ['reference'] as const;
export type TickedStep = (typeof TICKED_STEPS)[number];
export const STEPS = [...PROVEN_STEPS, ...TICKED_STEPS] as const;
export type Step = (typeof STEPS)[number];

export const STEP_LABELS: Readonly<Record<Step, string>> = {
  key: 'Make an API key.',
  check: 'Check an address, a name, a URL or a file hash.',
  scan: 'Scan a mail message or a text.',
  list: 'Download a blocklist or a TAXII collection with your key.',
  member: 'Add a second member to your organization.',
  indicator: 'Report an indicator of your own.',
  reference: 'Read the reference of the API at /docs.',
};

export type StepAccount = { readonly isOrganization: boolean; readonly indicatorsPerDay: number };

/** A step that the account cannot take is not listed, so that every account can be complete. */
export function stepsOf({ isOrganization, indicatorsPerDay }: StepAccount): readonly Step[] {
  return STEPS.filter((step) => {
    if (step === 'member') return isOrganization;
    if (step === 'indicator') return isOrganization && indicatorsPerDay > 0;
    return true;
  });
}

export const isTicked = (step: Step): step is TickedStep => (TICKED_STEPS as readonly Step[]).includes(step);
