import type { ReactNode } from 'react';
import { describeFailure } from '../service/failure.ts';
import { Boundary } from './boundary.tsx';
import { FailureNote } from './failure-note.tsx';

const SectionFailed = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <FailureNote
    failure={{ ...describeFailure(error, Date.now()), title: 'This part of the page could not be shown' }}
    retry={retry}
  />
);

/** A section that fails says so in its place; the rest of the page stays. `of` names what it shows. */
export const Section = ({ of, children }: { of: string; children: ReactNode }) => (
  <Boundary of={of} failed={SectionFailed}>
    {children}
  </Boundary>
);
