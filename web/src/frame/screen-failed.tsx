import { describeFailure } from '../service/failure.ts';
import { FailureNote } from '../ui/failure-note.tsx';
import css from './lost.module.css';

export const ScreenFailed = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <section>
    <h1 className={css.title}>This page could not be shown</h1>
    <FailureNote failure={describeFailure(error, Date.now())} retry={retry} />
  </section>
);
