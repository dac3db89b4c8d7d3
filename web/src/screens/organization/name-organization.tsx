import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { askSessionAgain } from '../../service/session.ts';
import { switchAccount } from '../../service/switch-account.ts';
import { fieldOf } from '../../ui/field-of.ts';

/** Creates an organization and switches to it; with `named`, renames the current one. */
export function NameOrganization({ named, close }: { named?: string; close: () => void }) {
  const isNew = named === undefined;
  const put = async (fields: FormData) => {
    const body = { name: fieldOf(fields, 'name') };
    if (isNew) {
      const { id } = await assay.call('postApiOrganizations', { body });
      await switchAccount(id);
      announce(`You work in ${body.name} now.`);
      return;
    }
    await assay.call('patchApiOrganization', { body });
    announce('The organization has its new name.');
    await askSessionAgain();
  };
  return (
    <ConfirmLayer
      title={isNew ? 'Make an organization' : 'Give it another name'}
      act={isNew ? 'Make it' : 'Rename it'}
      acting={isNew ? 'Making it' : 'Renaming'}
      change={put}
      close={close}
    >
      <label htmlFor="organization-name">Name</label>
      <input
        id="organization-name"
        name="name"
        maxLength={100}
        defaultValue={named}
        autoComplete="organization"
        required
      />
      {isNew && (
        <p className="note">
          You are its first owner, and it starts on the FREE plan. Your own account stays beside it.
        </p>
      )}
    </ConfirmLayer>
  );
}
