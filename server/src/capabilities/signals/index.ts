export { signalsWorkerPart } from './jobs.ts';
export { openSignalBooks, type Signals } from './open-signals.ts';
export { NO_SIGNAL_BOOK, type SignalBook } from './signal-book.ts';
export { listVersions, type SignalVersion } from './store.ts';
export { type TrainDeps, type TrainReport, trainSignals } from './train-signals.ts';
