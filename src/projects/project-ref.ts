/** A project and its organization, which own a resource. */
export interface ProjectRef {
  organization_id: string;
  project_id: string;
}
