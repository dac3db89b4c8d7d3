export { HASH_TYPES, type HashType } from './corpus-files.ts';
export { type LoadedPasswords, loadPasswords } from './load-passwords.ts';
export {
  type AskedHash,
  type CorpusStatus,
  openPasswords,
  type Passwords,
  type PasswordsStatus,
  type PwnedPassword,
} from './open-passwords.ts';
