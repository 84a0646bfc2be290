"""Is `vicinal.Classifier` ever behind a linear model on tf-idf, at any number of labels, and are its probabilities honest?"""
