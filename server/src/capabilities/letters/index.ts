export type { LetterKind } from './contract.ts';
export { type LettersWorkerDeps, lettersWorkerPart } from './jobs.ts';
export { type Letter, type Letters, openLetters } from './letters.ts';
export { listSequences, type OutboxDeps, retryLetter, type Sequence, setSequence } from './outbox.ts';
export { type OutboxLetter, selectOutbox } from './outbox-store.ts';
export { digestOf, readAddress } from './read-address.ts';
export { renderLetter } from './render-letter.ts';
export { countLetters, deleteLettersTo, insertSuppression, selectLetters } from './store.ts';
export { openUnsubscription, TOPICS, type Unsubscription } from './topics.ts';
