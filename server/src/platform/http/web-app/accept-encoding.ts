/** In order of preference. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const HEADER_CHARS_MAX = 512;

/** The encodings that a caller accepts, best first (RFC 9110 12.5.3). `identity` always remains. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined || header.length > HEADER_CHARS_MAX) return [];
  const accepted = new Map<string, boolean>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    // `q=0` in any spelling refuses an encoding; any other weight accepts it, and our own order decides.
    accepted.set(name, !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)));
  }
  return ENCODINGS.filter((name) => accepted.get(name) ?? accepted.get('*') ?? false);
}
