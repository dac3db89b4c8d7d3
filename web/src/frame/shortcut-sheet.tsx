import { Layer } from '../ui/layer.tsx';
import { type Action, useOfferedActions } from './actions.ts';
import { setPreference, usePreferences } from './preferences.ts';
import css from './shortcut-sheet.module.css';

const GROUPS: readonly Action['group'][] = ['This page', 'Go to', 'View'];

/** Lists the registered actions, so it always matches what the keys do. */
export function ShortcutSheet({ close }: { close: () => void }) {
  const actions = useOfferedActions().filter(({ keys }) => keys !== undefined);
  const { singleKeys, clock } = usePreferences();
  return (
    <Layer title="Shortcuts" close={close}>
      {GROUPS.map((group) => {
        const here = actions.filter((action) => action.group === group);
        if (here.length === 0) return null;
        return (
          <section key={group}>
            <h3 className={css.group}>{group}</h3>
            <dl className={css.keys}>
              {here.map(({ id, title, keys = '' }) => (
                <div key={id} className={css.row}>
                  <dt>{title}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
      <label className={css.option}>
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => setPreference('singleKeys', event.target.checked)}
        />
        Single-key shortcuts
      </label>
      <label className={css.option}>
        <input
          type="checkbox"
          checked={clock === 'local'}
          onChange={(event) => setPreference('clock', event.target.checked ? 'local' : 'utc')}
        />
        Times in my own time zone instead of UTC
      </label>
    </Layer>
  );
}

export const Keys = ({ keys }: { keys: string }) => (
  <>
    {keys.split(' ').map((key) => (
      <kbd key={key}>{key.replace('Mod+', 'Ctrl ')}</kbd>
    ))}
  </>
);
