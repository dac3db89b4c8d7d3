export { PREFIXES } from './bucket.ts';
export { HASH_TYPES, type HashType } from './corpus-files.ts';
export type { Coverage } from './corpus-head.ts';
export { reportCorpora } from './judge-uses.ts';
export { type LoadedPasswords, loadPasswords } from './load-passwords.ts';
export {
  type AskedHash,
  type CorpusStatus,
  openPasswords,
  type Passwords,
  type PasswordsStatus,
  type PwnedPassword,
} from './open-passwords.ts';
export { reportUses } from './report-uses.ts';
export { type PasswordsDeps, passwordsRoutes } from './routes.ts';
export { findUnfinishedLoad } from './unfinished-load.ts';
export { type VerifiedPasswords, verifyPasswords } from './verify-passwords.ts';
