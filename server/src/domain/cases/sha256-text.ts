import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal. */
export const sha256Text = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
