export { familyNameOf } from './family-name.ts';
