import type { ReportSummary } from '@assay/sdk';
import { lazy, Suspense, useRef, useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { describeFailure, type Failure } from '../../service/failure.ts';
import { persistently } from '../../service/persistently.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { downloadEntity, type EntityFormat } from './download.ts';
import css from './reports.module.css';

const DownloadMenu = lazy(async () => ({
  default: (await persistently(() => import('./download-menu.tsx'))).DownloadMenu,
}));
const DeleteDialog = lazy(async () => ({
  default: (await persistently(() => import('./delete-dialog.tsx'))).DeleteDialog,
}));

/** Download and delete, in a row of the list and on the page of a report. */
export function ReportActions({
  report,
  mayWrite,
  deleted,
}: {
  report: ReportSummary;
  mayWrite: boolean;
  deleted: () => void;
}) {
  const [layer, setLayer] = useState<'menu' | 'delete' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const close = () => setLayer(null);
  const download = async (format: EntityFormat) => {
    setFailure(null);
    try {
      await downloadEntity(report, format);
      announce('Downloaded.');
    } catch (error) {
      setFailure(describeFailure(error, Date.now()));
    }
  };
  return (
    <div className={css.rowActions}>
      <button
        type="button"
        ref={trigger}
        className={css.more}
        aria-haspopup="menu"
        aria-expanded={layer === 'menu'}
        aria-label={`Download what was saved about ${report.entityValue}`}
        onClick={() => setLayer('menu')}
      >
        Download…
      </button>
      {mayWrite && (
        <Button
          aria-label={`Delete the report about ${report.entityValue}`}
          onClick={() => setLayer('delete')}
        >
          Delete
        </Button>
      )}
      {failure !== null && <FailureNote failure={failure} />}
      <Suspense>
        {layer === 'menu' && (
          <DownloadMenu trigger={trigger} close={close} pick={(format) => void download(format)} />
        )}
        {layer === 'delete' && <DeleteDialog report={report} close={close} deleted={deleted} />}
      </Suspense>
    </div>
  );
}
