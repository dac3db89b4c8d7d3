export { type AsnMembersDeps, asnMembers } from './asn-members.ts';
export { AsnMembers, Cursor, EXAMINED_MAX } from './contract.ts';
export { createFamilyWords } from './family-words.ts';
export { type ContextPagesDeps, contextPagesRoutes } from './routes.ts';
