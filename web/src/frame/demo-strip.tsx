import { pageConfig } from '../service/page-config.ts';
import css from './strip.module.css';

export function DemoStrip() {
  if (!pageConfig.demo) return null;
  return (
    <div className={css.strip}>
      <b>Demonstration.</b> The data is invented: no address or name here is accused of anything.
    </div>
  );
}
