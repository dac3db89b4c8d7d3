export {
  BRIEF_LEVELS,
  type BriefFacts,
  type BriefLevel,
  type ComposedBrief,
  composeBrief,
  type WeekFigures,
} from './compose-brief.ts';
