import { domainToASCII } from 'node:url';

const NAME_MAX = 253;
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const DOTTED = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
const ENDS_IN_LETTER = /\.[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

export function hostName(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > NAME_MAX * 2) return null;
  const text = value.trim().toLowerCase().replace(/\.$/, '');
  const name = isPlain(text) ? text : domainToASCII(text);
  return name.length <= NAME_MAX && isPlain(name) ? name : null;
}

const isPlain = (text: string): boolean => DOTTED.test(text) && ENDS_IN_LETTER.test(text);
