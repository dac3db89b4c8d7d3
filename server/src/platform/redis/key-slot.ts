/** The cluster slot of a key: CRC16 (XMODEM) of its hash tag, or of the whole key without one, modulo 16,384. */
export const CLUSTER_SLOTS = 16_384;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

export function keySlot(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const hasTag = close > open + 1;
  const bytes = Buffer.from(hasTag ? key.slice(open + 1, close) : key);
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (TABLE[((crc >> 8) ^ byte) & 0xff] ?? 0)) & 0xffff;
  return crc % CLUSTER_SLOTS;
}
