/** Folder of the built pages, for whoever serves them. */
export declare const staticDir: string;
