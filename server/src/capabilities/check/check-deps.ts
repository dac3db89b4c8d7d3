import type { Enrichment } from '#capabilities/enrichment/index.ts';
import type { Assessment, Assessor, AssessorDeps } from '#capabilities/judging/index.ts';
import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { ClaimsDeps } from './add-claims.ts';
import type { ContextDeps } from './check-context.ts';

export type CheckDeps = AssessorDeps &
  ContextDeps &
  ClaimsDeps & {
    readonly enrichment: Pick<Enrichment, 'book' | 'attack' | 'attackAt'>;
    readonly passwords: Pick<Passwords, 'find'>;
    /** The assessor, shared with bulk so that verdicts are cached once; absent: this capability makes its own. */
    readonly assess?: Assessor;
    /** Assesses as of a past moment, and refuses one that it has no data for. Absent: no replay. */
    readonly asOf?: (
      indicator: Indicator,
      atMs: number,
      organizationId?: string | null,
    ) => Promise<Assessment>;
  };
