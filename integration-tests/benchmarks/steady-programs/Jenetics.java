// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import io.jenetics.BitChromosome;
import io.jenetics.BitGene;
import io.jenetics.Genotype;
import io.jenetics.engine.Engine;
import io.jenetics.engine.EvolutionResult;
import io.jenetics.engine.Limits;

/** A genetic algorithm, with streams and the common pool. */
public class Jenetics {
  public static void main(String[] args) throws Exception {
    Steady.run(
        args,
        () -> {
          Engine<BitGene, Integer> engine =
              Engine.builder(
                      (Genotype<BitGene> g) -> g.chromosome().as(BitChromosome.class).bitCount(),
                      BitChromosome.of(500, 0.5))
                  .populationSize(300)
                  .build();
          // What it finds depends on chance.
          return engine.stream()
              .limit(Limits.byFixedGeneration(10))
              .collect(EvolutionResult.toBestGenotype())
              .chromosome()
              .length();
        });
  }
}
