export const COPY_FORMS = [
  { form: 'ticket', title: 'Ticket summary', keys: 'y' },
  { form: 'raw', title: 'Raw value', keys: 'Y' },
  { form: 'defanged', title: 'Defanged value', keys: null },
  { form: 'json', title: 'JSON', keys: null },
  { form: 'stix', title: 'STIX 2.1 bundle', keys: null },
  { form: 'curl', title: 'curl command', keys: null },
  { form: 'link', title: 'Link to this page', keys: null },
] as const;
export type CopyForm = (typeof COPY_FORMS)[number]['form'];
