/** Sentences in a text that are meant for a program that reads it. */
export {
  type FoundInjection,
  findInjection,
  type InjectionFacts,
  type InjectionSpan,
  readInjection,
  scoreOf as scoreOfFamilies,
} from './injection.ts';
