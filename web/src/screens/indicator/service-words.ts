const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    resolver: 'Public DNS resolver',
    'name-server': 'Name server',
    time: 'Time server',
    crawler: 'Crawler',
    update: 'Update service',
    'sign-in': 'Sign-in service',
    mail: 'Mail service',
    'certificate-status': 'Certificate status service',
    api: 'API that strangers act through',
  }),
);

/** What a named service does. A kind of a newer service is shown as it came. */
export const serviceWords = (kind: string): string => KINDS.get(kind) ?? kind;
