import type { Encoding } from './encode-bytes.ts';

/** The smallest encoding that the caller names with a weight above 0; `*` names none, because old readers send it. */
export function chooseEncoding(header: string | undefined): Encoding {
  const accepted = new Set(
    (header ?? '').split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
    }),
  );
  if (accepted.has('zstd')) return 'zstd';
  return accepted.has('gzip') ? 'gzip' : 'identity';
}
