import type { ReportSummary } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { assay } from '../../service/client.ts';
import { describeFailure, type Failure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Layer } from '../../ui/layer.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './reports.module.css';

export function DeleteDialog({
  report,
  close,
  deleted,
}: {
  report: ReportSummary;
  close: () => void;
  deleted: () => void;
}) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const remove = async () => {
    setFailure(null);
    setSending(true);
    try {
      await assay.call('deleteReportsId', { path: { id: report.id } });
      announce('The report is deleted.');
      close();
      deleted();
    } catch (error) {
      setFailure(describeFailure(error, Date.now()));
      setSending(false);
    }
  };
  return (
    <Layer title="Delete the report" close={close}>
      <p className={css.sentence}>
        The report about <InertText mono>{report.entityValue}</InertText>, saved{' '}
        <Moment at={report.createdAt} form="absolute" />, is deleted for everybody of this account. It cannot
        be brought back.
      </p>
      {failure !== null && <FailureNote failure={failure} />}
      <p className={css.buttons}>
        <Button look="primary" disabled={isSending} onClick={() => void remove()}>
          {isSending ? 'Deleting' : 'Delete'}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </p>
    </Layer>
  );
}
