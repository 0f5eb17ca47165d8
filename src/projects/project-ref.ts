/** A project and its organization. */
export interface ProjectRef {
  organization_id: string;
  project_id: string;
}
