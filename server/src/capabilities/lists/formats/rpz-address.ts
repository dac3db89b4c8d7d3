const PART = /^[0-9a-f]{1,4}$/i;

/**
 * The address or range that a response policy zone writes as a name: prefix length first, then the parts in reverse.
 * `32.4.3.2.1` is 1.2.3.4, `24.0.2.0.192` is 192.0.2.0/24, `48.zz.2.2001` is 2001:2::/48 (`zz` stands for `::`).
 */
export function addressOfRpz(encoded: string): string | null {
  const [bits = '', ...reversed] = encoded.split('.');
  if (!/^\d{1,3}$/.test(bits)) return null;
  const parts = reversed.reverse();
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part)))
    return withBits(parts.join('.'), Number(bits), 32);
  const gaps = parts.filter((part) => part.toLowerCase() === 'zz').length;
  const isAddress =
    parts.every((part) => part.toLowerCase() === 'zz' || PART.test(part)) &&
    (gaps === 0 ? parts.length === 8 : gaps === 1 && parts.length <= 8);
  if (!isAddress) return null;
  const address = parts
    .map((part) => (part.toLowerCase() === 'zz' ? '' : part))
    .join(':')
    .replace(/^:/, '::')
    .replace(/:$/, '::');
  return withBits(address === '' ? '::' : address, Number(bits), 128);
}

/** A prefix that is too long is left to the address parser, which reports it. */
const withBits = (address: string, bits: number, bitsMax: number): string =>
  bits === bitsMax ? address : `${address}/${bits}`;
