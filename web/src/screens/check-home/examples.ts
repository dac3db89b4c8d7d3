import type { Target } from '../../box/permalink.ts';

export type Example = { readonly target: Target; readonly what: string };

/** Harmless, real, and informative on any corpus. */
const REAL: readonly Example[] = [
  { target: { type: 'ip', value: '8.8.8.8' }, what: 'a public resolver' },
  { target: { type: 'domain', value: 'example.com' }, what: 'a name kept for documentation' },
  {
    target: {
      type: 'hash',
      value: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
    },
    what: 'the EICAR test file',
  },
];
/** Invented like all demonstration data; `demo/examples.json` lists them too. */
const INVENTED: readonly Example[] = [
  { target: { type: 'ip', value: '21.40.9.113' }, what: 'a Tor exit on lists of attacks' },
  { target: { type: 'domain', value: 'signin.kestrelpay.example.net' }, what: 'a phishing domain' },
  {
    target: {
      type: 'hash',
      value: '0cbe78e79dcf3fb52899462d7d6225b966c173f8d27364ee10dd7cf83de4ba46',
    },
    what: 'a malware file',
  },
];

export const examplesOf = (isDemo: boolean): readonly Example[] => (isDemo ? INVENTED : REAL);
