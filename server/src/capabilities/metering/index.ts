export { AddressGuard, type AddressLimits, type GuardAnswer } from './address-guard.ts';
export { createMeterGates, type MeterGatesDeps } from './gates.ts';
export type { LedgerUsage } from './ledger.ts';
export { Meter, type MeterDeps, type MeterStatus, startMeter } from './meter.ts';
export { MeterAnswer, type MeterAsk } from './meter-answer.ts';
export { METER_LIBRARY } from './meter-library.ts';
