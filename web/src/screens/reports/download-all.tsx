import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { describeFailure, type Failure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { downloadAll } from './download.ts';
import css from './reports.module.css';

/** Buttons to download all reports of the account, in the two formats of the service's export. */
export function DownloadAll() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const download = async (format: 'csv' | 'json') => {
    setFailure(null);
    try {
      await downloadAll(format);
      announce('Downloaded.');
    } catch (error) {
      setFailure(describeFailure(error, Date.now()));
    }
  };
  return (
    <div className={css.all}>
      <span className={css.allLabel}>Download all</span>
      <Button aria-label="Download all as CSV" onClick={() => void download('csv')}>
        CSV
      </Button>
      <Button aria-label="Download all as JSON" onClick={() => void download('json')}>
        JSON
      </Button>
      {failure !== null && <FailureNote failure={failure} />}
    </div>
  );
}
