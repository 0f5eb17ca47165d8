/** Words of the list of status pages, and of a new page. */
export const PAGE_LIST_WORDS = {
  title: 'Pages',
  none: 'There is no status page yet.',
  private: 'private',
  add: 'Add a page',
  name: 'Name',
  name_hint:
    'As visitors know your service: “Acme”. It becomes a part of the address, and can be changed later.',
  project: 'Project',
  project_hint: 'The page shows the monitors of this project.',
  preview: 'Preview',
  preview_label: (name: string) => `Preview ${name}`,
  edit: 'Edit',
  edit_label: (name: string) => `Edit ${name}`,
  visibility: 'Who sees it',
  visibility_hint:
    'Visitors do not see a private page. You can show it to others by a preview link, and make it public later under Settings. Its sections follow on the next screen.',
  public: 'Everyone, immediately',
  not_yet: 'Private until it is ready',
} as const;
