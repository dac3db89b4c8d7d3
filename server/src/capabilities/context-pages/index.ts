export { type AsnMembersDeps, asnMembers } from './asn-members.ts';
export { Cursor, Members } from './contract.ts';
export { createFamilyWords } from './family-words.ts';
export { type ContextPagesDeps, contextPagesRoutes } from './routes.ts';
