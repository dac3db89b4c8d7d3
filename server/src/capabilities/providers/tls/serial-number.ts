const SERIAL_MAX = 64;

/** One spelling for every origin: capitals, whole bytes, without the zero byte that only carries the sign. */
export function serialNumber(hex: string): string {
  const digits = hex.toUpperCase().replace(/[^0-9A-F]/g, '');
  const significant = digits.replace(/^0+/, '');
  const whole = significant.length % 2 === 0 ? significant : `0${significant}`;
  return whole === '' ? '00' : whole.slice(0, SERIAL_MAX);
}
