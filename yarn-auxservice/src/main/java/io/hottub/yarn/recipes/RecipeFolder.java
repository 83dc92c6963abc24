// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import com.codahale.metrics.MetricRegistry;
import io.hottub.protocol.OwnUser;
import io.hottub.protocol.SmallFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recipes of a node. What is wrong with one is a line in the log, and costs only that one. */
public final class RecipeFolder {
  private static final Logger LOG = LoggerFactory.getLogger(RecipeFolder.class);
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final long MAX_BYTES = 64 << 10;

  private RecipeFolder() {}

  /** Reads all of them, in the order of their names. */
  public static List<Recipe> read(Path folder, MetricRegistry registry) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + Recipe.SUFFIX)) {
      checkOwner(folder);
      found.forEach(files::add);
    } catch (IOException e) {
      LOG.error(
          "No recipes: cannot use the folder {} ({}); correct it and restart the NodeManager",
          folder,
          problem(e));
      registry.counter("recipes.broken").inc();
    }
    files.sort(null);
    List<Recipe> recipes = new ArrayList<>();
    for (Path file : files) {
      try {
        recipes.add(read(file));
      } catch (IOException e) {
        LOG.error(
            "The recipe {} is ignored: {}; correct it and restart the NodeManager",
            file,
            problem(e));
        registry.counter("recipes.broken").inc();
      }
    }
    return recipes;
  }

  private static Recipe read(Path file) throws IOException {
    checkOwner(file);
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("it is larger than " + MAX_BYTES + " bytes");
    }
    return Recipe.parse(Recipe.nameOf(file), SmallFile.read(file));
  }

  /** Who can write a recipe has programs run by this process's user. */
  private static void checkOwner(Path path) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,mode");
    int uid = (Integer) attributes.get("uid");
    int own = OwnUser.uid();
    if (uid != 0 && uid != own) {
      throw new IOException("it is owned by the uid " + uid);
    }
    if (((Integer) attributes.get("mode") & WRITABLE_BY_OTHERS) != 0) {
      throw new IOException("it is writable by others");
    }
  }

  /** Exceptions of the file system only name the file. */
  private static String problem(IOException e) {
    boolean namesOnly = e instanceof java.nio.file.FileSystemException;
    return namesOnly ? e.getClass().getSimpleName() : e.getMessage();
  }
}
