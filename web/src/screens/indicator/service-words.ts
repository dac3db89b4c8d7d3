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

/** What a named service does, in words. A kind that only a newer service knows is shown as sent. */
export const serviceWords = (kind: string): string => KINDS.get(kind) ?? kind;
