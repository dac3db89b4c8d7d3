/** Finds sentences in a text that address a program that reads it, such as a language model (prompt injection). */
export {
  type FoundInjection,
  findInjection,
  type InjectionFacts,
  type InjectionSpan,
  readInjection,
  scoreOf as scoreOfFamilies,
} from './injection.ts';
