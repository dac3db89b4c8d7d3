export { type AttackDocument, type AttackIndex, openAttack } from './attack-index.ts';
export { compileAttack } from './compile-attack.ts';
export { type Mitre, mitreOf } from './mitre-of.ts';
