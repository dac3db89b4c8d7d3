/**
 * Rules of the gate: a text that a program is about to read becomes facts, and facts with dataset answers a verdict.
 */
export {
  GATE_VERDICTS,
  type GateJudgement,
  type GateVerdict,
  judgeContent,
  judgeLink,
  LINK_VERDICTS,
  type LinkVerdict,
} from './judge-content.ts';
export { GATE_LIMITS, GATE_MODES, type GateFacts, type GateMode, readContent } from './read-content.ts';
